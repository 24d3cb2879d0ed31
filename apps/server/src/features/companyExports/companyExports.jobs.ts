import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXPORT_DAYS } from '@balcao/contract/companyExports.ts'
import { Refusal } from '../../platform/errors.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import { exportCompany } from '../../platform/postgres/transfer/company.ts'
import type { Tx } from '../../platform/scope.ts'
import { job, type Tools } from '../../platform/work/jobs.ts'
import { storageLimitOf } from '../companies/companies.storage.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { firstAdminsIn } from '../users/users.queries.ts'
import { failExport, findExport, finishExport, nameOfCompany } from './companyExports.queries.ts'
import { exportLetter } from './companyExports.text.ts'

const DAY_S = 24 * 3600
const MIB = 1_048_576

/** Makes the package in a folder for temporary files, keeps it beside the company's other files, and writes to its first admins. */
export const makeExport = job<{ id: string }>(
  'companyExports.make',
  async (scope, { id }, tools) => {
    const asked = await scope.list(async tx => ({
      row: await findExport(tx.sql, tx.companyId),
      name: await nameOfCompany(tx),
      limitMb: await storageLimitOf(tx),
    }))
    if (asked.row?.id !== id || asked.row.state !== 'making') return
    const most = asked.limitMb === 0 ? Number.POSITIVE_INFINITY : asked.limitMb * MIB
    const kept = await keepPackage(scope.companyId, { id, name: asked.name, most }, tools).catch(unlessFull)
    if (!kept) {
      await scope.transaction(async tx => {
        await failExport(tx, id)
        tx.note('an export ended: it would have more bytes than the storage of the company', { most })
      })
      return
    }
    const { key, bytes } = kept
    const mediaUrl = addressOf(key)
    await scope.transaction(async tx => {
      if (!(await finishExport(tx, id, { mediaUrl, bytes }))) return removeFiles(tx, [mediaUrl])
      await removeFiles(tx, [mediaUrl], EXPORT_DAYS * DAY_S)
      await writeToAdmins(tx, id, asked.row!.language)
    })
  },
  {
    retries: 3,
    minutes: 240,
    givenUp: (scope, { id }) => scope.transaction(async tx => void (await failExport(tx, id))),
  },
)

/** The next try would find the same: it is not tried again. */
function unlessFull(error: unknown): null {
  if (error instanceof Refusal && error.code === 'ERR_NO_LIMIT_STORAGE') return null
  throw error
}

async function keepPackage(
  companyId: number,
  { id, name, most }: { id: string; name: string; most: number },
  { files, database }: Tools,
) {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-export-'))
  try {
    const file = join(folder, 'company.zip')
    await exportCompany(
      { connection: { connectionString: database.url }, store: files.store, companyId, most },
      file,
    )
    // a repeated try replaces the file of the one before
    return await files.keepPackage(companyId, createReadStream(file), { name: `${name}.zip`, from: id })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeToAdmins(tx: Tx, id: string, language: Parameters<typeof exportLetter>[0]) {
  for (const { id: userId, email } of await firstAdminsIn(tx.sql, tx.companyId))
    await writeMail(tx, {
      cause: `export ${id} ${userId}`,
      to: email,
      letter: exportLetter(language),
      link: { purpose: 'export', id },
    })
}

export const jobs = [makeExport]
