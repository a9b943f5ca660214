import { expect, test } from 'vitest';
import { normalPlatformName, parsePlatform } from '../../../formats/oci/platform.ts';

// What platforms.Normalize of containerd's module github.com/containerd/platforms v1.0.0-rc.1 makes of each name.
test.each([
  ['linux/amd64', 'linux/amd64'],
  ['linux/amd64/v1', 'linux/amd64'],
  ['linux/amd64/v2', 'linux/amd64/v2'],
  ['linux/x86_64', 'linux/amd64'],
  ['linux/arm64', 'linux/arm64'],
  ['linux/arm64/v8', 'linux/arm64'],
  ['linux/arm64/8', 'linux/arm64'],
  ['linux/arm64/v8.0', 'linux/arm64'],
  ['linux/arm64/v9', 'linux/arm64/v9'],
  ['linux/arm64/v9.0', 'linux/arm64/v9'],
  ['linux/aarch64', 'linux/arm64'],
  ['linux/arm', 'linux/arm/v7'],
  ['linux/arm/7', 'linux/arm/v7'],
  ['linux/arm/v6', 'linux/arm/v6'],
  ['linux/arm/6', 'linux/arm/v6'],
  ['linux/arm/8', 'linux/arm/v8'],
  ['linux/armhf', 'linux/arm/v7'],
  ['linux/armel', 'linux/arm/v6'],
  ['linux/i386', 'linux/386'],
  ['macos/arm64/v8', 'darwin/arm64'],
  ['linux/riscv64', 'linux/riscv64'],
])('%s is the platform %s, as containerd has it', (name, normal) => {
  expect(normalPlatformName(parsePlatform(name))).toBe(normal);
});
