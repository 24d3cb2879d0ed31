import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, by a part of its path: begun last, one worker would wait for it at the end. */
const long = [
  'crash/postgres',
  'bin/feature',
  'cloud/product.kill',
  'crash/kill',
  'crash/',
  'baileys/product',
  'kill',
  'soak',
  'apps/server',
]

/** An order of test files: the long ones first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }: TestSpecification) {
  const place = long.findIndex(part => moduleId.includes(part))
  return place < 0 ? long.length : place
}
