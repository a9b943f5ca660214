import { expect, test } from 'vitest';
import { parseHead } from '../../../../lib/kernel/http/answer-head.ts';

const parsed = (text: string): ReturnType<typeof parseHead> => parseHead(Buffer.from(text, 'latin1'));

test('a head tells status, headers by names in lower case, its own size and that of the body', () => {
  const head = 'HTTP/1.1 206 Partial Content\r\nContent-Length: 12\r\nX-Two: a\r\nx-two:b \r\nETag: "e"\r\n\r\n';
  expect(parsed(`${head}and what follows`)).toEqual({
    status: 206,
    headers: { 'content-length': '12', 'x-two': 'a, b', etag: '"e"' },
    size: head.length,
    length: 12,
    keeps: true,
  });
});

test('a connection that will be closed is not kept', () => {
  expect(parsed('HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n')).toMatchObject({ keeps: false });
});

test.each(['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n', 'nothing of the kind'])(
  '%j is not whole',
  (text) => {
    expect(parsed(text)).toBeUndefined();
  },
);

test.each([
  ['no length', 'HTTP/1.1 200 OK\r\nX: y'],
  ['a coding', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: 0x10'],
  ['a length that no number holds', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999'],
  ['an answer that is not the last', 'HTTP/1.1 100 Continue\r\nContent-Length: 1'],
  ['an answer without a body', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1'],
  ['an older version', 'HTTP/1.0 200 OK\r\nContent-Length: 1'],
  ['a line that goes on', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n folded'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 1'],
  ['a control character', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX: a\0b'],
  ['a line break alone', 'HTTP/1.1 200 OK\r\nContent-Length: 1\nX: y'],
  ['no HTTP', 'SSH-2.0-OpenSSH'],
])('%s is left to a full client', (_, text) => {
  expect(parsed(`${text}\r\n\r\n`)).toBe('other');
});
