import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { useMay } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { oneClient } from '../companies/companies.api.ts'
import { ReportSheet } from '../reports/report-sheet.tsx'
import { readStatement, STATEMENT } from './payments.statement.ts'
import { usePaymentText } from './payments.text.ts'
import { statementColumns } from './statement-section.tsx'

/** The whole statement of a company for printing; browsers save what is printed as PDF. */
export default function StatementScreen() {
  const t = usePaymentText()
  const companyId = Number(useParams().companyId) || 0
  const isMaster = useMay('master')
  const { data: company } = useQuery(oneClient(companyId))
  const { data, isError, error } = useQuery({
    queryKey: [STATEMENT, 'whole', companyId],
    queryFn: () => readStatement(companyId),
    staleTime: 0,
  })
  return (
    <Page
      title={t('statementOf', { name: company?.name ?? '' })}
      back={{ path: isMaster ? `/companiesManager/${companyId}` : '/clientCompanyManager', label: t('back') }}
    >
      <Button
        leftSection={<IconPrinter size={16} aria-hidden />}
        mb={16}
        disabled={!data}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
      {isError && <p role="alert">{whyNot(error, t('failed'))}</p>}
      {data && (
        <ReportSheet>
          <Text size="sm">
            {t('balanceIs', { value: brl(data.lines[0]?.balance ?? 0) })} ·{' '}
            {t('until', { day: clock().format('L') })}
            {data.hasMore && ` · ${t('cutOff', { count: data.lines.length })}`}
          </Text>
          <Table
            label={t('statement')}
            columns={statementColumns(t)}
            rows={data.lines.map((line, at) => ({ ...line, at }))}
            keyOf={({ at }) => at}
            empty={<p>{t('noLines')}</p>}
          />
        </ReportSheet>
      )}
    </Page>
  )
}
