import type { CompanyExport } from '@balcao/contract/companyExports.ts'
import { type Link, pathOf } from '../../platform/access/links.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import type { Files } from '../../platform/files/files.ts'
import { removeFiles } from '../../platform/files/served.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { PlatformScope, Scope } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { makeExport } from './companyExports.jobs.ts'
import { findExport, insertExport, lockExport } from './companyExports.queries.ts'

/**
 * Begins a package of everything that a company has; the one before is removed. One that is being made goes on instead.
 * Refuses with ERR_NO_COMPANY_FOUND, and with ERR_NO_LIMIT_STORAGE where the company's storage is full.
 */
export async function beginExport(
  platform: PlatformScope,
  scope: Scope,
  files: Files,
  language: Letter['language'],
): Promise<void> {
  await platform.transaction(sql => findClient(sql, scope.companyId))
  // the package that is there makes room for the next one
  if (!(await scope.read(tx => findExport(tx.sql, tx.companyId)))?.mediaUrl)
    await files.askRoom(scope.companyId)
  await scope.transaction(async tx => {
    const before = await lockExport(tx)
    if (before?.state === 'making') return
    if (before?.mediaUrl) await removeFiles(tx, [before.mediaUrl])
    await tx.enqueue(makeExport, { id: await insertExport(tx, language) })
    tx.note('a company is exported', { companyId: scope.companyId })
  })
}

/** The newest package of a company, with its link; null without one. Refuses with ERR_NO_COMPANY_FOUND. */
export async function shownExport(
  platform: PlatformScope,
  { secrets, origin }: { secrets: Secrets; origin: string },
  companyId: number,
): Promise<CompanyExport | null> {
  const found = await platform.transaction(async sql => {
    await findClient(sql, companyId)
    return findExport(sql, companyId)
  })
  if (!found) return null
  const { id, state, requestedAt, expiresAt, bytes } = found
  const link: Link = { purpose: 'export', id }
  return {
    ...{ state, requestedAt, expiresAt, bytes },
    link: state === 'ready' ? origin + pathOf(secrets.links, link) : null,
  }
}
