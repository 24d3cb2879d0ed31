import { driverReaders } from '../linear/drivers.ts'
import { inputReaders } from '../linear/inputs.ts'
import { ruleReaders } from '../linear/readers.ts'
import { drawnTexts, growth } from '../linear/texts.ts'

/**
 * Texts that are drawn by a seed, before everything that reads a text of others, until the time is over: one line for each
 * that costs more than its length. Such a text becomes one of FAMILIES. Answers how many were found.
 */
export async function soakTexts(minutes: number, seed: number): Promise<number> {
  const readers = [...driverReaders, ...(await inputReaders()), ...(await ruleReaders())]
  const end = performance.now() + minutes * 60_000
  let [texts, found] = [0, 0]
  for (const family of drawnTexts(seed)) {
    if (performance.now() > end) break
    for (const { name, letters, read } of readers) {
      const fault = growth(read, family, letters)
      if (fault === null) continue
      found++
      console.log(JSON.stringify({ seed, text: texts, reader: name, family, fault }))
    }
    texts++
  }
  console.log(`${texts} texts before each of ${readers.length} readers: ${found} cost more than their length`)
  return found
}
