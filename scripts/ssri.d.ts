declare module 'ssri' {
  /** Reads `stream` to its end; rejects unless its bytes are the ones that `integrity` names. */
  export function checkStream(stream: NodeJS.ReadableStream, integrity: string): Promise<unknown>;
}
