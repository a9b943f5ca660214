import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellWord } from '../../formats/shell-word.ts';

describe('shellWord', () => {
  test.each(['/srv/shop-1.0.0.iso', 'https://mirror.example.com:8443/a+b,c=1', 'user@host'])(
    'leaves %s as it is',
    (word) => {
      expect(shellWord(word)).toBe(word);
    },
  );

  test.each(['/media/My Stick/a.iso', "it's", '$(reboot)', 'a;b', '', '*', 'a\nb', '"`\\'])(
    'writes %j so that a shell reads the same word',
    (word) => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
    },
  );
});
