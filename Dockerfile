# The reference server. Sources run as they are; only the cabinet, which browsers run, is built.
#
#   docker build -t tolem .
#   docker run -p 3000:3000 -v tolem:/data tolem

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --omit=dev --ignore-scripts --workspace packages/http-server

FROM node:24.21.0-slim AS cabinet
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --workspace packages/cabinet && node packages/cabinet/src/build/main.ts

FROM node:24.21.0-slim
# The container's network is the border, so it listens at all of its addresses.
ENV NODE_ENV=production \
    TOLEM_HOST=0.0.0.0 \
    TOLEM_DATABASE=sqlite:/data/tolem.db
WORKDIR /app
COPY --from=packages /app .
COPY --from=cabinet /app/packages/http-server/src/cabinet/dist packages/http-server/src/cabinet/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# A server that is told to stop finishes what is under way, within ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TOLEM_PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/http-server/src/main.ts"]
CMD ["serve"]
