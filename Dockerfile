# The reference server. Built are the cabinet, which browsers run, and the program, which starts from a few files; with
# a configuration file its sources run as they are.
#
#   docker build -t tolem .
#   docker run -p 3000:3000 -v tolem:/data tolem

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --omit=dev --ignore-scripts --workspace packages/http-server

FROM node:24.21.0-slim AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY scripts scripts
RUN npm ci --ignore-scripts --include-workspace-root --workspace packages/cabinet --workspace packages/http-server \
  && node packages/cabinet/src/build/main.ts && node scripts/program.ts /app/cache \
  && chmod -R a+rX,go-w /app/cache

FROM node:24.21.0-slim
# The container's network is the border, so it listens at all of its addresses.
ENV NODE_ENV=production \
    TOLEM_HOST=0.0.0.0 \
    XDG_CACHE_HOME=/app/cache \
    TOLEM_DATABASE=sqlite:/data/tolem.db
WORKDIR /app
COPY --from=packages /app .
COPY --from=built /app/packages/http-server/src/cabinet/dist packages/http-server/src/cabinet/dist
COPY --from=built /app/packages/http-server/src/program packages/http-server/src/program
COPY --from=built /app/cache cache
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# A server that is told to stop finishes what is under way, within ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "require(process.env.TOLEM_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.TOLEM_PORT || 3000, path: '/health/ready', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/http-server/src/program/main.js"]
CMD ["serve"]
