import { expect, test } from 'vitest'
import { whatsAppMarks } from './markdown.rules.ts'

test.each([
  ['**Oi**, tudo __bem__?', '*Oi*, tudo *bem*?'],
  ['***muito*** importante', '*_muito_* importante'],
  ['~~R$ 20~~ R$ 10', '~R$ 20~ R$ 10'],
  ['## Nossos **preços**\nSofá', '*Nossos preços*\nSofá'],
  ['* um\n  + dois\n- três\n1. quatro', '- um\n  - dois\n- três\n1. quatro'],
  ['Veja [o site](https://lume.test/a_b__c__d).', 'Veja o site: https://lume.test/a_b__c__d.'],
  ['[https://lume.test](https://lume.test)', 'https://lume.test'],
  ['[lume.test](https://lume.test/)', 'https://lume.test/'],
  ['[Escreva](mailto:oi@lume.test)', 'Escreva: oi@lume.test'],
  ['![Sofá](https://lume.test/s.png)', 'Sofá: https://lume.test/s.png'],
  ['```js\nlet a = 2 ** 3 ** 1\n```', '```\nlet a = 2 ** 3 ** 1\n```'],
  ['use `**kwargs**`', 'use `**kwargs**`'],
  ['um\n\n---\n\ndois', 'um\n\ndois'],
  ['| Sofá | R$ 10 |\n|---|---|\n| Mesa | R$ 20 |', 'Sofá | R$ 10 \n\n Mesa | R$ 20'],
  ['2 * 3 * 4 e a_b_c', '2 * 3 * 4 e a_b_c'],
  ['*já* _é_ do WhatsApp', '*já* _é_ do WhatsApp'],
  ['Preço: R\\$ 10 \\*', 'Preço: R\\$ 10 *'],
  ['nada a mudar', 'nada a mudar'],
])('%j is sent as %j', (markdown, sent) => {
  expect(whatsAppMarks(markdown)).toBe(sent)
})

test('a long text without marks that end takes no time', () => {
  const began = performance.now()
  for (const part of ['**a', '[a](', '`', '|-', '__a ', '# ', '- ', '![a](https://a '])
    whatsAppMarks(part.repeat(20_000))
  expect(performance.now() - began).toBeLessThan(2_000)
})
