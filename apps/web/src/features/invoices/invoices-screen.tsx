import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { RowPicker } from '../../ui/row-picker.tsx'
import { clientList, oneClient } from '../companies/companies.api.ts'
import { AllInvoices } from './all-invoices.tsx'
import { InvoiceSection } from './invoice-section.tsx'
import classes from './invoices.module.css'
import { useInvoiceText } from './invoices.text.ts'

/** `/invoices` shows the invoices of all companies; `/invoices/2` what a company owes and paid (OP-14). */
export default function InvoicesScreen() {
  const t = useInvoiceText()
  const goTo = useGoTo()
  const companyId = Number(useParams().companyId) || 0
  const { data } = useQuery({ ...oneClient(companyId), enabled: companyId > 0 })
  return (
    <Page title={t('invoices')}>
      <div className={classes.company}>
        <RowPicker
          key={data?.id ?? 0}
          label={t('company')}
          list={clientList}
          minimum={0}
          failed={t('companiesFailed')}
          value={data ?? null}
          onPick={row => goTo(row ? `/invoices/${row.id}` : '/invoices')}
        />
      </div>
      {companyId > 0 ? <InvoiceSection key={companyId} companyId={companyId} /> : <AllInvoices />}
    </Page>
  )
}
