import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseOsRelease } from '../../../formats/packages/os-release.ts';
import { judged, ok } from '../../support/judges.ts';

const parse = (text: string) => parseOsRelease(Buffer.from(text));

describe('os-release', () => {
  test('gives the system and its release, with and without quotes', () => {
    expect(parse('NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.18.4\nPRETTY_NAME="Alpine Linux v3.18"\n')).toEqual({
      id: 'alpine',
      version: '3.18.4',
      title: 'Alpine Linux v3.18',
    });
    expect(parse("# comment\r\nID='arch'\r\n")).toEqual({ id: 'arch' });
    expect(parse('ID="a"\nPRETTY_NAME="say \\"hi\\" for \\$1"\n')).toEqual({ id: 'a', title: 'say "hi" for $1' });
  });

  test('is none without an ID that is one', () => {
    for (const text of ['', 'NAME=x\n', 'ID=\n', 'ID="a b"\n', 'ID=../x\n', `ID=${'a'.repeat(65)}\n`]) {
      expect(parse(text)).toBeUndefined();
    }
    expect(parse('ID=a\nVERSION_ID="1 2"\nPRETTY_NAME="\x1b[2J"\n')).toEqual({ id: 'a', title: '[2J' });
    expect(parseOsRelease(Buffer.from('ID=a\nPRETTY_NAME=\xff\n', 'latin1'))).toMatchObject({ id: 'a' });
  });

  judged('of this machine is what a shell reads in it', ['bash'], async () => {
    const script = '. /etc/os-release && printf "%s\\n%s\\n%s" "$ID" "$VERSION_ID" "$PRETTY_NAME"';
    const [id, version, title] = (await ok('bash', ['-c', script])).split('\n');
    expect(parseOsRelease(readFileSync('/etc/os-release'))).toEqual({
      id,
      ...(version && { version }),
      ...(title && { title }),
    });
  });
});
