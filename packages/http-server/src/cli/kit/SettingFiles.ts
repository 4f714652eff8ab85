/**
 * Settings from files, as containers are given their secrets: where a variable TOLEM_X is absent, TOLEM_X_FILE names a
 * file that holds its text. What stands in the environment is seen by every program of the same user, a file is not.
 */
import { ConfigProvider, Effect, FileSystem, type Layer } from "effect"

const suffix = "_FILE"

/** The environment with such files. Setting both variables is refused, and so is a file that cannot be read. */
export const layer: Layer.Layer<never, never, FileSystem.FileSystem> = ConfigProvider.layer(
  Effect.map(FileSystem.FileSystem, (fs) => {
    const environment = ConfigProvider.fromEnv()
    const textOf = (name: string) => Effect.map(environment.load([name]), (node) => node?.value)
    return ConfigProvider.make((path) =>
      Effect.gen(function* () {
        const name = path.join("_")
        const given = yield* environment.load(path)
        if (!name.startsWith("TOLEM_") || name.endsWith(suffix)) return given
        const file = yield* textOf(`${name}${suffix}`)
        if (file === undefined) return given
        if (given?.value !== undefined) return yield* wrong(`set it or ${name}${suffix}, not both`)
        const text = yield* Effect.catchTag(fs.readFileString(file), "PlatformError", ({ reason }) =>
          wrong(`cannot read the file ${file}: ${reason._tag}`)
        )
        // Editors and `echo` end a file with a line break. A secret that was forgotten must not count as none wanted.
        const value = text.replace(/[\r\n]+$/, "")
        return value === "" ? yield* wrong(`the file ${file} is empty`) : ConfigProvider.makeValue(value)
      })
    )
  })
)

const wrong = (message: string) => Effect.fail(new ConfigProvider.SourceError({ message }))
