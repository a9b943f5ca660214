import { date, readMemory } from '../../../parts/trust/index.ts';
import { type HealthCheck, openedArchives } from '../check.ts';

/** Seconds by which clocks may differ. */
const TOLERANCE = 300;

/** Looks whether the clock lags behind an archive of the configuration, or behind a release that was installed here. */
export const clockCheck: HealthCheck = {
  code: 'clock',
  purposes: ['serve', 'install'],
  look: async (surroundings) => {
    const { clock, trustState } = surroundings.request;
    const subject = date(clock);
    const archives = (await openedArchives(surroundings)).map(({ path, created }) => ({ what: path, at: created }));
    const { solutions } = await readMemory(trustState);
    const remembered = [...solutions].flatMap(([name, { newest }]) =>
      newest === undefined ? [] : [{ what: `a release of ${name} that was installed here`, at: newest }],
    );
    const [newest] = [...archives, ...remembered].sort((a, b) => b.at - a.at);
    if (newest === undefined) {
      return [{ state: 'skipped', subject, message: 'there is no archive to compare the clock with' }];
    }
    const age = `${newest.what} is of ${date(newest.at)}`;
    if (newest.at <= clock + TOLERANCE) return [{ state: 'ok', subject, message: age }];
    const hint = `date -u -s "${date(newest.at)}"`;
    return [{ state: 'fails', subject, message: `the clock lags behind: ${age}`, hint }];
  },
};
