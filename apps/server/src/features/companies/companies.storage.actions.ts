import { refuse } from '../../platform/errors.ts'
import type { FileCount, FileMeter, Files } from '../../platform/files/files.ts'
import type { Scopes } from '../../platform/scope.ts'
import { addToFileCount, fileCountOf, setFileCount, storageLimitOf } from './companies.storage.queries.ts'

const MIB = 1_048_576

/** The number and size of the files of a company; reads all of them where they were never counted. */
export async function storageOf(scopes: Scopes, files: Files, companyId: number): Promise<FileCount> {
  const scope = scopes.inCompany(companyId)
  return (
    (await scope.read(fileCountOf)) ??
    scope.transaction(async tx => setFileCount(tx, await files.sizeOf(companyId)))
  )
}

/** Counts stored and removed files. `askRoom` refuses a company's upload with ERR_NO_LIMIT_STORAGE when its storage is full. */
export const meterOf = (scopes: Scopes): FileMeter => ({
  async askRoom(files, companyId) {
    const limitMb = await scopes.inCompany(companyId).read(storageLimitOf)
    if (limitMb === 0) return
    const { bytes } = await storageOf(scopes, files, companyId)
    if (bytes >= limitMb * MIB) refuse('ERR_NO_LIMIT_STORAGE', { details: { limitMb } })
  },
  add: (companyId, change) =>
    scopes.promised(companyId).transaction(async tx => {
      await addToFileCount(tx, change)
    }),
})
