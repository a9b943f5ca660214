import { failing, type HealthCheck } from '../check.ts';

/**
 * Looks whether the SolutionsConfiguration can be read, and the archives that it names on this machine can be opened.
 */
export const configurationCheck: HealthCheck = {
  code: 'configuration',
  purposes: ['serve', 'install'],
  look: async ({ configuration: subject, archives }) => {
    const looked = await archives();
    if (looked === undefined) {
      return [
        { state: 'skipped', subject, message: 'does not exist yet', hint: 'name an archive: solpack install ARCHIVE' },
      ];
    }
    const { opened, unopened, remote } = looked;
    const left = remote === 0 ? '' : `, ${remote} on servers that were not asked`;
    if (opened.length + unopened.length + remote === 0) {
      return [{ state: 'ok', subject, message: 'can be read, and names no archive yet' }];
    }
    const message = `${opened.length} of ${opened.length + unopened.length} archives on this machine can be opened${left}`;
    return [{ state: 'ok', subject, message }, ...unopened.map(({ path, error }) => failing(error, path))];
  },
};
