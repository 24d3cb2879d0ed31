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

test.each(['**a', '[a](', '`', '|-', '__a ', '# ', '- ', '![a](https://a '])(
  'a long text of %j, marks without an end, costs what its parts cost one by one',
  part => {
    const [parts, each] = [200, part.repeat(400)]
    const inParts = () => {
      for (let n = 0; n < parts; n++) whatsAppMarks(each)
    }
    const whole = each.repeat(parts)
    // about once as much; 200 times as much if each mark were looked for to the end of the text
    expect(leastRatio(() => whatsAppMarks(whole), inParts)).toBeLessThan(40)
  },
)

/** How much longer the first takes than the second, of up to ten tries the least: others were disturbed. */
function leastRatio(first: () => void, second: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 10 && least > 4; tries++)
    least = Math.min(least, timeOf(first) / Math.max(timeOf(second), 0.1))
  return least
}

function timeOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}
