import { join } from 'node:path';
import { isThere } from '../../../kernel/machine/index.ts';
import { SERVE_UNIT, stateOf } from '../../setup/index.ts';
import type { HealthCheck } from '../check.ts';
import { inTime } from '../in-time.ts';
import { isOwnAddress } from '../own-address.ts';

const UNITS = 'etc/systemd/system';

/** Looks whether systemd runs, and keeps the `serve` of this machine running. */
export const systemdCheck: HealthCheck = {
  code: 'systemd',
  purposes: ['serve', 'install'],
  look: async ({ request: { root = '/' }, machine, said, purposes }, flow) => {
    const isNeeded = isOwnAddress(said.serve) || (purposes.has('serve') && !purposes.has('install'));
    const subject = 'systemd';
    if (!machine.systemd) {
      if (!isNeeded) return [{ state: 'ok', subject, message: 'does not run, but nothing here needs it' }];
      const message = 'does not run: nothing starts "solpack serve" at boot';
      const hint = 'keep it running by other means, or import images: solpack setup --containerd SOCKET';
      return [{ state: 'warns', subject, message, hint }];
    }
    if (!isNeeded) return [{ state: 'ok', subject, message: 'runs' }];
    if (!(await isThere(join(root, UNITS, SERVE_UNIT)))) {
      const message = `has no ${SERVE_UNIT}: nothing starts "solpack serve" at boot`;
      return [{ state: 'warns', subject, message, hint: 'solpack setup --serve' }];
    }
    return inTime(SERVE_UNIT, `systemctl status ${SERVE_UNIT}`, flow, async (own) => {
      const { enabled, active } = await stateOf(SERVE_UNIT, own);
      if (!active) {
        return [
          { state: 'fails', subject: SERVE_UNIT, message: 'does not run', hint: `systemctl start ${SERVE_UNIT}` },
        ];
      }
      if (enabled) return [{ state: 'ok', subject: SERVE_UNIT, message: 'runs, and starts at boot' }];
      const message = 'runs, but does not start at boot';
      return [{ state: 'warns', subject: SERVE_UNIT, message, hint: `systemctl enable ${SERVE_UNIT}` }];
    });
  },
};
