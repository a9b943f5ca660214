import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultRoutes, defaultRoutes6 } from '../../formats/routes.ts';

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
const line = (device: string, flags: string, metric: number, destination = '00000000', mask = '00000000') =>
  `${device}\t${destination}\t010200C0\t${flags}\t0\t0\t${metric}\t${mask}\t0\t0\t0`;
const zeros = '0'.repeat(32);
const line6 = (device: string, flags: string, metric: string, destination = zeros, length = '00') =>
  `${destination} ${length} ${zeros} 00 fe80${'0'.repeat(28)} ${metric} 00000001 00000000 ${flags} ${device}`;

describe('default routes', () => {
  test('are found, the one with the lowest metric first', () => {
    const text = [
      head,
      line('wlan0', '0003', 600),
      line('eth0', '0003', 100),
      line('eth0', '0001', 0, '000200C0', '00FFFFFF'),
    ];
    expect(defaultRoutes(`${text.join('\n')}\n`)).toEqual([
      { device: 'eth0', metric: 100 },
      { device: 'wlan0', metric: 600 },
    ]);
  });

  test('are found among those of IPv6', () => {
    const text = [
      line6('lo', '00200200', 'ffffffff'),
      line6('eth1', '00450003', '00000400'),
      line6('eth0', '1', '1', `2001${'0'.repeat(28)}`, '40'),
    ];
    expect(defaultRoutes6(`${text.join('\n')}\n`)).toEqual([{ device: 'eth1', metric: 1024 }]);
  });

  test.each([
    ['nothing', ''],
    ['a heading alone', `${head}\n`],
    ['a route that is down', line('eth0', '0002', 0)],
    ['a route that rejects', line('lo', '0201', 0)],
    ['a route to half of the world', line('tun0', '0003', 0, '00000000', '00000080')],
    ['a line that was cut', 'eth0\t00000000\t010200C0\t0003'],
    ['no flags', line('eth0', 'x', 0)],
    ['no metric', line('eth0', '0003', Number.NaN)],
  ])('are not made of %s', (_, text) => {
    expect(defaultRoutes(text)).toEqual([]);
    expect(defaultRoutes6(text)).toEqual([]);
  });

  test('are sorted and whole, whatever stands in the tables', () => {
    const words = fc.constantFrom('eth0', '00000000', '0003', '0', zeros, '00', '00000001', 'ffffffff', '-1', 'é', '');
    const table = fc.array(fc.array(words, { maxLength: 12 }).map((row) => row.join('\t')));
    fc.assert(
      fc.property(table, (rows) => {
        for (const found of [defaultRoutes(rows.join('\n')), defaultRoutes6(rows.join('\n'))]) {
          expect(found.every(({ device, metric }) => device !== '' && metric >= 0)).toBe(true);
          expect(found.map(({ metric }) => metric)).toEqual(found.map(({ metric }) => metric).sort((a, b) => a - b));
        }
      }),
    );
  });
});
