/** A default route of Linux. */
export interface DefaultRoute {
  readonly device: string;
  /** The lowest one counts. */
  readonly metric: number;
}

/** Bits of a route's flags (`RTF_UP`, `RTF_REJECT` of linux/route.h). */
const UP = 0x1;
const REJECT = 0x200;

/**
 * Finds the default routes in the text of `/proc/net/route` (proc(5)), the one that counts first. Lines that are no
 * routes are left out: nothing promises what stands there.
 */
export function defaultRoutes(text: string): DefaultRoute[] {
  return usable(
    text.split('\n').map((line) => {
      const [device = '', destination = '', , flags = '', , , metric = '', mask = ''] = line.trim().split(/[ \t]+/);
      const isDefault = /^0{8}$/.test(destination) && /^0{8}$/.test(mask);
      return { device, isDefault, flags: hexadecimal(flags), metric: decimal(metric) };
    }),
  );
}

/** The same of `/proc/net/ipv6_route`, whose columns are without a heading, and whose numbers are hexadecimal. */
export function defaultRoutes6(text: string): DefaultRoute[] {
  return usable(
    text.split('\n').map((line) => {
      const [destination = '', length = '', , , , metric = '', , , flags = '', device = ''] = line
        .trim()
        .split(/[ \t]+/);
      const isDefault = /^0{32}$/.test(destination) && length === '00';
      return { device, isDefault, flags: hexadecimal(flags), metric: hexadecimal(metric) };
    }),
  );
}

interface Line {
  readonly device: string;
  readonly isDefault: boolean;
  readonly flags: number;
  readonly metric: number;
}

function usable(lines: readonly Line[]): DefaultRoute[] {
  return lines
    .filter(({ device, isDefault, flags, metric }) => {
      return isDefault && device !== '' && Number.isFinite(metric) && (flags & UP) !== 0 && (flags & REJECT) === 0;
    })
    .map(({ device, metric }) => ({ device, metric }))
    .sort((a, b) => a.metric - b.metric);
}

function hexadecimal(text: string): number {
  return /^[0-9a-fA-F]{1,8}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
}

function decimal(text: string): number {
  return /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
