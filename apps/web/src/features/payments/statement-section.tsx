import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import type { StatementLine } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconPrinter, IconReportMoney } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { followList } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { companyPlan } from '../plans/plans.api.ts'
import { describe } from './payments.csv.ts'
import { STATEMENT, saveStatement, statementLines } from './payments.statement.ts'
import { usePaymentText } from './payments.text.ts'

/** Invoices, payments, credit and refunds of a company with its balance. */
export function StatementSection({ companyId }: { companyId: number }) {
  const t = usePaymentText()
  const list = useSearchedList(statementLines(companyId), '')
  useFollowed(companyId)
  // a line has no id of its own
  const rows = list.rows.map((line, at) => ({ ...line, at }))
  return (
    <FieldSection legend={t('statement')}>
      {rows.length > 0 && (
        <Group justify="space-between" gap={12} mb={12}>
          <Text size="sm">{t('balanceIs', { value: brl(rows[0]!.balance) })}</Text>
          <Group gap={12}>
            <Button
              component={Link}
              to={`/statement/${companyId}`}
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
            >
              {t('print')}
            </Button>
            <Download companyId={companyId} />
          </Group>
        </Group>
      )}
      <Table
        label={t('statement')}
        columns={statementColumns(t)}
        rows={rows}
        keyOf={line => line.at}
        paging={list}
        empty={<Empty icon={<IconReportMoney size={26} />} title={t('noLines')} />}
      />
    </FieldSection>
  )
}

type Line = StatementLine & { at: number }

export const statementColumns = (t: typeof usePaymentText.read): Column<Line>[] => [
  { key: 'on', head: t('on'), cell: ({ on }) => shownTime(on).format('L') },
  { key: 'kind', head: t('kind'), cell: ({ kind }) => t(`kind${kind}`) },
  { key: 'text', head: t('text'), kind: 'long', cell: describe },
  { key: 'value', head: t('value'), kind: 'number', cell: ({ value }) => brl(value) },
  { key: 'balance', head: t('balance'), kind: 'number', cell: ({ balance }) => brl(balance) },
]

function useFollowed(companyId: number) {
  const { data } = useQuery(companyPlan(companyId))
  const planId = data?.[0]?.id
  useEffect(() => (planId ? followList(invoiceChannelOf(planId), [STATEMENT]) : undefined), [planId])
}

function Download({ companyId }: { companyId: number }) {
  const t = usePaymentText()
  const [busy, setBusy] = useState(false)
  const download = () => {
    setBusy(true)
    return saveStatement(companyId)
      .then(({ count, isCut }) => isCut && notify.warn(t('cutOff', { count })), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={busy}
      onClick={() => void download()}
    >
      {t('download')}
    </Button>
  )
}
