import { describe, expect, test } from 'vitest';
import { volumeIdFrom } from '../../../formats/iso9660/volume-id.ts';

describe('a volume identifier', () => {
  test('is name and version in capitals, digits and _', () => {
    expect(volumeIdFrom('guestbook', '1.1.0')).toBe('GUESTBOOK_1_1_0');
    expect(volumeIdFrom('a-b', '1.0.0-rc.1+build')).toBe('A_B_1_0_0_RC_1_BUILD');
  });

  test('has at most 32 characters, and loses the end of a long name before that of the version', () => {
    expect(volumeIdFrom('n'.repeat(63), '1.2.3')).toBe(`${'N'.repeat(26)}_1_2_3`);
    expect(volumeIdFrom('n'.repeat(63), '1'.repeat(40))).toBe(`${'N'.repeat(15)}_${'1'.repeat(16)}`);
  });

  test('does without what is missing', () => {
    expect(volumeIdFrom('name', '')).toBe('NAME');
    expect(volumeIdFrom('', '1')).toBe('1');
  });
});
