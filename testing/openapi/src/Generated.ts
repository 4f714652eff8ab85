/** A client as others have it: types generated from the OpenAPI document, checked with a compiler of their time. */
import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"

/** The types that a generator makes of the document. */
export const generated = async (document: object): Promise<string> =>
  astToString(await openapiTS(JSON.stringify(document)))

/** What the strict compiler says of `program`, which imports the generated types from `./api.ts`. */
export const complaints = (types: string, program: string): ReadonlyArray<string> => {
  const files = new Map([
    ["/api.ts", types],
    ["/program.ts", program]
  ])
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: []
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.getSourceFile = (name, version) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version)
  }
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))
  return diagnostics.map(
    ({ file, start = 0, messageText }) =>
      `${file?.fileName ?? ""}:${start} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  )
}
