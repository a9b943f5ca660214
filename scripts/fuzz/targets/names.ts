import { algorithmOf, hexOf, isDigest } from '../../../formats/digest.ts';
import { parseChallenges } from '../../../formats/oci/challenge.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import { defaultRoutes, defaultRoutes6 } from '../../../formats/routes.ts';
import { parseDuration } from '../../../formats/solution/duration.ts';
import { matchesName } from '../../../formats/trust/match.ts';
import { parseHead } from '../../../lib/kernel/http/answer-head.ts';
import { parseContentRange } from '../../../lib/kernel/http/content-range.ts';
import { hop } from '../../../lib/kernel/http/redirect.ts';
import { retryAfter } from '../../../lib/kernel/http/retry-after.ts';
import { textsOf } from '../../../lib/parts/clusters/kubernetes/server/client/warnings.ts';
import { findImage } from '../../../lib/parts/images/names.ts';
import { parseRange } from '../../../lib/parts/registry-server/range.ts';
import { type Parser, parsers } from '../parser.ts';
import { must } from '../violation.ts';

const digest = `sha256:${'a1'.repeat(32)}` as const;
const zeros = '0'.repeat(32);
const images = [{ digest, names: ['docker.io/library/nginx:1', 'latest'] }];

/** Names, headers of HTTP, and routes of Linux. */
export const names = parsers(
  'names',
  180,
  'Bearer realm="¦Basic¦realm=¦service=¦, ¦="¦"¦token68==¦bytes ¦bytes=¦/*¦-¦localhost¦example.com:5000/' +
    '¦[::1]:80/¦:latest¦@sha256:¦http://¦https://¦//¦?¦#¦299 - "¦GMT¦5m¦1h',
  {
    reference: line(['example.com:5000/a/b_c:1.0', 'nginx', `nginx@${digest}`, 'localhost/x:y'], (text) => {
      findImage(images, text, 'it');
      const value = parseReference(text);
      must(formatReference(parseReference(formatReference(value))) === formatReference(value), 'a reference changes');
    }),
    digest: line([digest, `sha512:${'0f'.repeat(64)}`], (text) =>
      must(!isDigest(text) || `${algorithmOf(text)}:${hexOf(text)}` === text, 'a digest is not its parts'),
    ),
    challenge: line(
      [
        'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a:pull", Basic realm="x"',
        'Negotiate abc==',
      ],
      (text) => {
        for (const { scheme } of parseChallenges(text)) must(scheme !== '', 'a challenge has no scheme');
      },
    ),
    'content-range': line(['bytes 0-99/100', 'bytes 5-9/*'], (text) => {
      const range = parseContentRange(text);
      must(!range || range.first <= range.last, 'a range runs backwards');
    }),
    head: line(['HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: "a"\r\n\r\nand more'], (text) => {
      const head = parseHead(Buffer.from(text));
      if (typeof head === 'object')
        must(head.length >= 0 && head.size <= Buffer.byteLength(text), 'a head lies outside');
    }),
    range: line(['bytes=0-9', 'bytes=-5', 'bytes=7-'], (text) => {
      const range = parseRange(text, 100);
      must(typeof range !== 'object' || (range.start <= range.end && range.end < 100), 'a range lies outside');
    }),
    'retry-after': line(['120', 'Wed, 21 Oct 2026 07:28:00 GMT'], (text) => {
      const wait = retryAfter(text, 0);
      must(wait === undefined || wait >= 0, 'nobody can wait that long');
    }),
    warning: line(['299 - "is deprecated", 299 x "a \\"b\\""'], (text) => void textsOf(text)),
    redirect: line(['https://example.com/v2/', '/v2/a?n=1&last=b', '//other.example.com:443/x'], (text) => {
      try {
        hop(new URL('https://example.com/v2/'), text, 'redirects', true);
      } catch (error) {
        must(error instanceof Error && error.constructor.name === 'RedirectError', `a redirect ends in ${error}`);
        return 'refused';
      }
      return undefined;
    }),
    duration: line(['1h30m', '90s', '5m'], (text) => must(parseDuration(text) > 0, 'a duration is none')),
    routes: line(
      [
        `eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n`,
        `${zeros} 00 ${zeros} 00 ${zeros} 00000400 1 0 3 eth0\n`,
      ],
      (text) => {
        const found = [...defaultRoutes(text), ...defaultRoutes6(text)];
        must(
          found.every(({ device, metric }) => device !== '' && metric >= 0),
          'a route has no device or no metric',
        );
      },
    ),
    match: line(['hello-*', '*a*b*'], (text) => void matchesName(text, 'hello-world-hello-world')),
  },
);

function line(samples: readonly string[], read: (text: string) => unknown): Parser {
  return { samples, read: (bytes) => read(bytes.toString()) };
}
