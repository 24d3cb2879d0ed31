import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest tests, by a part of their path: started last, they would keep one worker busy at the end. */
const long = [
  'cloud/faults',
  'bin/feature',
  'crash/lease.test',
  'crash/topology',
  'crash/schedules',
  'cloud/product.kill',
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
