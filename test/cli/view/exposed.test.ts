import { expect, test } from 'vitest';
import { nextView } from '../../../cli/view/exposed.ts';
import { styleFor } from '../../../cli/view/style.ts';

const style = styleFor({ isTTY: false } as never, {});
const next = (result: object): string[] => nextView(result as never, 'solpack status', style);

test('an install says where what it brought answers, and how to see what becomes of it', () => {
  const exposed = [
    { object: 'Ingress shop/web', addresses: ['https://shop.example.com/'] },
    { object: 'Service shop/db', addresses: Array.from({ length: 9 }, (_, index) => `10.0.0.${index}:30080`) },
  ];
  expect(next({ generation: 2, exposed })).toEqual([
    'answers at  https://shop.example.com/  Ingress shop/web',
    '            10.0.0.0:30080             Service shop/db',
    '            10.0.0.1:30080',
    '            10.0.0.2:30080',
    '            and 6 more',
    'next        solpack status',
  ]);
  expect(next({ generation: 2 })).toEqual(['next  solpack status']);
});

test('one that applied nothing to a cluster has nothing to look at', () => {
  expect(next({})).toEqual([]);
});
