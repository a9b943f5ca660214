import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { addressOn, machineReport } from '../../../../../lib/shared/solutions/node-variables/here.ts';

const address = (text: string, family = 'IPv4', internal = false) => ({ address: text, family, internal });

describe('the address of a node', () => {
  test('is that of the first route whose interface has one that others reach', () => {
    const routes = [
      { device: 'gone', metric: 0 },
      { device: 'eth0', metric: 1 },
      { device: 'eth1', metric: 2 },
    ];
    const interfaces = {
      eth0: [address('fe80::1', 'IPv6'), address('127.0.0.9', 'IPv4', true)],
      eth1: [address('fe80::2', 'IPv6'), address('2001:db8::2', 'IPv6'), address('192.0.2.2')],
    };
    expect(addressOn(routes, interfaces, 'IPv4')).toEqual({ address: '192.0.2.2', device: 'eth1' });
    expect(addressOn(routes, interfaces, 'IPv6')).toEqual({ address: '2001:db8::2', device: 'eth1' });
    expect(addressOn(routes.slice(0, 2), interfaces, 'IPv4')).toBeUndefined();
    expect(addressOn([], interfaces, 'IPv4')).toBeUndefined();
  });
});

/**
 * The address that the kernel takes to get out; a UDP socket that is connected sends nothing. Undefined where there is
 * no way out.
 */
async function chosenByKernel(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  try {
    return await new Promise((settle) => {
      socket.once('error', () => settle(undefined));
      socket.connect(9, '198.51.100.1', () => settle(socket.address().address));
    });
  } finally {
    socket.close();
  }
}

test('this machine tells its name, and the address by which Linux itself would go out', async () => {
  const { name, address: found } = await machineReport();
  expect(name).toEqual({ value: hostname().toLowerCase(), from: 'hostname' });
  expect(found?.value).toBe(await chosenByKernel());
});
