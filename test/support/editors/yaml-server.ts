import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** What a language server says of a file: where, from 1 on, and what is wrong. */
export interface Diagnostic {
  readonly line: number;
  readonly message: string;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: unknown;
}

/** A yaml-language-server that runs, as an editor has one. */
export interface YamlServer extends AsyncDisposable {
  /** Opens a file that has this text, and returns what is told of it. */
  open(path: string, text: string): Promise<Diagnostic[]>;
  /** Asks about a place of an open file, from 0 on: `hover` or `completion`. */
  ask(method: 'hover' | 'completion', path: string, line: number, character: number): Promise<unknown>;
}

/**
 * Starts yaml-language-server, and speaks the Language Server Protocol with it over its standard streams. It is told to
 * ask no network: it goes by what a file itself names.
 */
export async function startYamlServer(): Promise<YamlServer> {
  const program = require.resolve('yaml-language-server/bin/yaml-language-server');
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const answers = new Map<number, (result: unknown) => void>();
  const told = new Map<string, (found: Diagnostic[]) => void>();
  let count = 0;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object): Promise<unknown> => {
    count += 1;
    const id = count;
    send({ id, method, params });
    return new Promise((resolve) => answers.set(id, resolve));
  };
  readMessages(child.stdout, ({ id, method, result, params }) => {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: LspDiagnostic[] };
      told.get(uri)?.(diagnostics.map(({ range, message }) => ({ line: range.start.line + 1, message })));
    } else if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (id !== undefined) answers.get(id)?.(result);
  });
  await request('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  send({ method: 'initialized', params: {} });
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml } } });
  return {
    open: (path, text) => {
      const uri = pathToFileURL(path).href;
      const found = new Promise<Diagnostic[]>((resolve) => told.set(uri, resolve));
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
      return found;
    },
    ask: (method, path, line, character) =>
      request(`textDocument/${method}`, {
        textDocument: { uri: pathToFileURL(path).href },
        position: { line, character },
      }),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      child.kill();
      await closed;
    },
  };
}

interface LspDiagnostic {
  readonly range: { readonly start: { readonly line: number } };
  readonly message: string;
}

/** Takes messages out of a stream (Language Server Protocol 3.17, "Base Protocol"). */
function readMessages(stream: NodeJS.ReadableStream, onMessage: (message: Answer) => void): void {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, end).toString('latin1'))?.[1]);
      if (rest.length < end + 4 + length) return;
      onMessage(JSON.parse(rest.subarray(end + 4, end + 4 + length).toString('utf8')));
      rest = rest.subarray(end + 4 + length);
    }
  });
}
