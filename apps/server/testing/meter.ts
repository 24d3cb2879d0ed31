import type { FileCount, FileMeter } from '../src/platform/files/files.ts'

/** Counts what companies keep, and refuses none. */
export function countingMeter() {
  const counts = new Map<number, FileCount>()
  const meter: FileMeter = {
    async askRoom() {},
    async add(companyId, { files, bytes }) {
      const before = counts.get(companyId) ?? { files: 0, bytes: 0 }
      counts.set(companyId, { files: before.files + files, bytes: before.bytes + bytes })
    },
  }
  return { meter, counted: (companyId: number) => counts.get(companyId) }
}
