import type { SecretUse } from '@balcao/contract/secretUses.ts'
import { useQuery } from '@tanstack/react-query'
import { clock } from '../../platform/time.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { secretUsesOf } from './secretUses.api.ts'
import { useSecretUseText } from './secretUses.text.ts'

/** What programs did in the name of a user: with which secret, what, from where, how often, since when. */
export function SecretUses({ userId }: { userId: number }) {
  const t = useSecretUseText()
  const { data: uses, isError } = useQuery(secretUsesOf(userId))
  const columns: Column<SecretUse>[] = [
    { key: 'secret', head: t('secret'), cell: ({ kind, name }) => t(kind, { name }) },
    { key: 'call', head: t('call'), cell: one => t(one.call) },
    { key: 'network', head: t('network'), cell: one => (one.network === '*' ? t('others') : one.network) },
    { key: 'times', head: t('times'), cell: one => one.times },
    { key: 'since', head: t('since'), cell: one => clock(one.since).format('L HH:mm') },
    { key: 'last', head: t('last'), cell: one => clock(one.lastAt).format('L HH:mm') },
  ]
  return (
    <FieldSection legend={t('uses')}>
      {isError && <p role="alert">{t('failed')}</p>}
      {uses?.length === 0 && <p>{t('none')}</p>}
      {uses && uses.length > 0 && (
        <Table
          label={t('uses')}
          columns={columns}
          rows={uses}
          keyOf={one => `${one.kind} ${one.name} ${one.call} ${one.network} ${one.since}`}
        />
      )}
    </FieldSection>
  )
}
