import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankHosts } from '../../../../lib/parts/mirrors/blank-hosts.ts';
import { endpointsIn } from '../../../../lib/parts/mirrors/endpoints-in.ts';
import { type ContainerdEndpoint, hostsFile } from '../../../../lib/parts/mirrors/hosts-file.ts';

const endpoint: fc.Arbitrary<ContainerdEndpoint> = fc.record(
  {
    url: fc.webUrl({ validSchemes: ['http', 'https'] }).map((url) => new URL(url).origin),
    overridePath: fc.boolean(),
    ca: fc.string({ minLength: 1 }),
    authorization: fc.base64String().map((login) => `Basic ${login}`),
  },
  { requiredKeys: ['url', 'overridePath'] },
);

describe('the endpoints in a hosts.toml', () => {
  test('are those that were written, in their order, whatever they are called', () => {
    const several = fc.uniqueArray(endpoint, { minLength: 1, maxLength: 4, selector: ({ url }) => url });
    fc.assert(
      fc.property(several, (written) => {
        const told = written.map(({ url, overridePath, ca, authorization }) => ({
          ...{ url, overridePath, pulls: true, authorization },
          ca: ca === undefined ? [] : [ca],
        }));
        expect(endpointsIn(hostsFile(written, ['edge']))).toEqual(told);
      }),
    );
  });

  test('may have several authorities, and a header in any case', () => {
    const text =
      '[host."https://a/"]\nca = ["one.pem", "two.pem"]\n[host."https://a/".header]\nAuthorization = ["Basic x"]\n';
    const [found] = endpointsIn(text) ?? [];
    expect(found).toMatchObject({ url: 'https://a', ca: ['one.pem', 'two.pem'], authorization: 'Basic x' });
  });

  test('may be commented in a file with line ends of Windows', () => {
    const text = '# ours\r\n[host."https://a"] # first\r\ncapabilities = ["pull", "resolve"]\r\n';
    expect(endpointsIn(text)).toMatchObject([{ url: 'https://a', pulls: true }]);
  });

  test.each([
    ['[host', undefined],
    ['', []],
    ['server = "https://a"', []],
    ['host = ["https://a"]', []],
    ['[host]\n"https://a" = 1', []],
  ])('%j has %j', (text, expected) => {
    expect(endpointsIn(text)).toEqual(expected);
  });
});

describe('a hosts.toml that is shown', () => {
  const header = (text: string): string => `[host."https://a"]\n${text}\n`;

  test('tells no password, and nothing that one could be tried against', () => {
    const own = hostsFile(
      [{ url: 'https://a', overridePath: false, authorization: 'Basic bm9kZTpzZWNyZXQ=' }],
      ['edge'],
    );
    const shown = blankHosts(own);
    expect(shown).not.toContain('bm9kZTpzZWNyZXQ=');
    expect(shown).not.toMatch(/[0-9a-f]{64}/);
    expect(shown).toContain('# For: edge\n');
  });

  test.each([
    ['in a table of one line', header('header = { Authorization = "Basic s3cret" }')],
    ['of several values', header('[host."https://a".header]\n"x-key" = [\n"s3cret",\n"other s3cret"\n]')],
    ['in what is no TOML', '[host\n  authorization = "Basic s3cret"'],
  ])('%s either', (_, text) => {
    expect(blankHosts(text)).not.toContain('s3cret');
  });

  test('is as it is where it has none', () => {
    const text = hostsFile([{ url: 'https://a', overridePath: false }], ['edge']);
    expect(blankHosts(text)).toBe(text);
  });
});
