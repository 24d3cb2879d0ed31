import { brl } from '@balcao/contract/plans.rules.ts'
import { INVOICE_KINDS, INVOICE_PARTS, type InvoicePart } from '@balcao/contract/revenue.rules.ts'
import type { CompanyInvoice } from '@balcao/contract/revenue.ts'
import { Select } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { inAddress, useKeptInAddress } from '../../ui/list-screen/address.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { currentMonth, MonthSelect } from '../revenue/month-select.tsx'
import { planShares, saveInvoices } from '../revenue/revenue.api.ts'
import { SheetButton } from '../revenue/sheet-button.tsx'
import { InvoiceStateBadge } from './invoice-state.tsx'
import { useAllInvoicesText } from './invoices.all.text.ts'
import { type InvoiceFilter, invoicesOfAll, totalsOfAll } from './invoices.all.ts'
import classes from './invoices.module.css'
import { periodOf } from './period.ts'

const ALL = 'all'

/** The invoices of all companies; each total of them shows those that it adds up. */
export function AllInvoices() {
  const t = useAllInvoicesText()
  const [month, setMonth] = useState(() => readMonth())
  const [part, setPart] = useState(() => INVOICE_PARTS.find(one => one === inAddress('part')) ?? null)
  const [planName, setPlan] = useState(() => inAddress('plan'))
  const [kind, setKind] = useState(() => INVOICE_KINDS.find(one => one === inAddress('kind')) ?? null)
  useKeptInAddress('month', month || ALL)
  useKeptInAddress('part', part ?? '')
  useKeptInAddress('plan', planName)
  useKeptInAddress('kind', kind ?? '')
  const { data: shares } = useQuery(planShares)
  const chosen = { ...(month && { month }), ...(planName && { planName }), ...(kind && { kind }) }
  const filter = { ...chosen, ...(part && { part }) }
  const list = useSearchedList(invoicesOfAll(filter), '')
  return (
    <>
      <div className={classes.filter}>
        <MonthSelect value={month} onChange={setMonth} mayBeAll />
        <Select
          label={t('plan')}
          data={(shares?.plans ?? []).map(one => one.planName).filter(Boolean)}
          placeholder={t('allPlans')}
          value={planName || null}
          onChange={value => setPlan(value ?? '')}
          searchable
          clearable
        />
        <Select
          label={t('kind')}
          data={INVOICE_KINDS.map(value => ({ value, label: t(value) }))}
          placeholder={t('allKinds')}
          value={kind}
          onChange={setKind}
          clearable
        />
        {month && <SheetButton save={decimals => saveInvoices({ ...filter, month }, decimals)} />}
      </div>
      <Totals filter={chosen} part={part} choose={setPart} />
      <Table
        label={t('allInvoices')}
        columns={columnsOf(t)}
        rows={list.rows}
        keyOf={({ id }) => id}
        paging={list}
        mark={({ id }) => ({ 'data-invoice': String(id) })}
        empty={<Empty icon={<IconFileInvoice size={26} />} title={t('none')} />}
      />
    </>
  )
}

/** The one of the address, else the current one. */
function readMonth(): string {
  const named = inAddress('month')
  return named === ALL ? '' : /^\d{4}-(0[1-9]|1[0-2])$/.test(named) ? named : currentMonth()
}

interface Totalled {
  filter: InvoiceFilter
  part: InvoicePart | null
  choose(part: InvoicePart | null): void
}

function Totals({ filter, part, choose }: Totalled) {
  const t = useAllInvoicesText()
  const { data } = useQuery(totalsOfAll(filter))
  if (!data) return null
  return (
    <div className={classes.totals}>
      {INVOICE_PARTS.map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={part === one}
          onClick={() => choose(part === one ? null : one)}
        >
          <span>{t(one)}</span>
          <strong>{brl(data[one].value)}</strong>
          <small>{t('invoiceCount', { count: data[one].count })}</small>
        </button>
      ))}
    </div>
  )
}

const shown = (day: string) => shownTime(day).format('L')

const columnsOf = (t: typeof useAllInvoicesText.read): Column<CompanyInvoice>[] => [
  {
    key: 'company',
    head: t('company'),
    kind: 'name',
    cell: one => <Link to={`/invoices/${one.companyId}`}>{one.companyName}</Link>,
  },
  { key: 'plan', head: t('plan'), kind: 'name', cell: ({ planName }) => planName },
  { key: 'period', head: t('period'), cell: periodOf },
  { key: 'status', head: t('status'), cell: one => <InvoiceStateBadge invoice={one} /> },
  { key: 'value', head: t('value'), kind: 'number', cell: ({ valueBrl }) => valueBrl },
  { key: 'due', head: t('due'), cell: ({ dueDate }) => shown(dueDate) },
  { key: 'paid', head: t('paidOn'), cell: ({ payDate }) => payDate && shown(payDate) },
]
