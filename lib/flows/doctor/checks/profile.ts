import { shellWord } from '../../../../formats/shell-word.ts';
import { failing, type HealthCheck } from '../check.ts';

/** Looks whether there is a profile, and whether somebody else may change it. */
export const profileCheck: HealthCheck = {
  code: 'profile',
  purposes: ['pack', 'serve', 'install'],
  look: async ({ request: { profile: asked }, profile, refusal, purposes }) => {
    if (asked === undefined) return [];
    const { path: subject, named } = asked;
    if (refusal !== undefined) return [failing(refusal, subject)];
    if (profile !== undefined) return [{ state: 'ok', subject, message: 'only its owner may change it' }];
    if (named)
      return [
        {
          state: 'fails',
          subject,
          message: 'there is no such profile',
          hint: `solpack setup --profile ${shellWord(subject)}`,
        },
      ];
    // Whoever packs needs none.
    if (!purposes.has('serve') && !purposes.has('install')) return [];
    const message = 'does not exist: its settings are not checked';
    return [{ state: 'skipped', subject, message, hint: 'solpack setup' }];
  },
};
