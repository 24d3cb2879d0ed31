import { expect, test } from 'vitest'
import { linesIn } from './tables.ts'

test('a row of an export ends at a line feed alone, whatever people wrote into it', async () => {
  const rows = ['["um\u2028dois\u2029três","\\n\\r"]', '["ação"]', '[null]']
  const bytes = Buffer.from(rows.map(row => `${row}\n`).join(''))
  const inPieces = async function* () {
    // also within a character
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
  }
  const read: string[] = []
  for await (const line of linesIn(inPieces())) read.push(line)
  expect(read).toEqual(rows)
})
