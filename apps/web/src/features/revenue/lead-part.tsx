import { LEAD_STATES, LEAD_STEPS, type LeadState, type LeadStep } from '@balcao/contract/revenue.rules.ts'
import type { LeadFunnel } from '@balcao/contract/revenue.ts'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Figure } from './figure.tsx'
import { LeadTable } from './lead-table.tsx'
import { monthName } from './month-part.tsx'
import { leadFunnel } from './revenue.api.ts'
import classes from './revenue.module.css'
import { useRevenueText } from './revenue.text.ts'

/** Leads by month and the step that they reached, and the list of all. */
export function LeadPart() {
  const t = useRevenueText()
  const funnel = wholeList(useQuery(leadFunnel))
  const [typed, type] = useState('')
  const [state, setState] = useState<LeadState | null>(null)
  return (
    <div className={classes.part}>
      <Table
        label={t('funnel')}
        rows={funnel.rows.filter(({ asked }) => asked > 0)}
        keyOf={({ month }) => month}
        paging={funnel}
        empty={<p>{t('none')}</p>}
        columns={[
          { key: 'month', head: t('month'), cell: ({ month }) => monthName(month) },
          ...LEAD_STEPS.map(step => columnOf(step, t)),
        ]}
      />
      <div className={classes.filter}>
        <TextInput
          type="search"
          label={t('searchLeads')}
          maxLength={100}
          value={typed}
          onChange={event => type(event.currentTarget.value)}
        />
        <Select
          label={t('state')}
          data={LEAD_STATES.map(value => ({ value, label: t(value) }))}
          placeholder={t('allStates')}
          value={state}
          onChange={value => setState(LEAD_STATES.find(one => one === value) ?? null)}
          clearable
        />
      </div>
      <LeadTable label={t('leads')} asked={state ? { state } : {}} typed={typed} />
    </div>
  )
}

const columnOf = (step: LeadStep, t: typeof useRevenueText.read): Column<LeadFunnel> => ({
  ...{ key: step, head: t(step), kind: 'number' },
  cell: one => {
    const name = t('behind', { name: t(step), month: monthName(one.month) })
    return (
      <Figure name={name} written={whole(one[step])} isEmpty={one[step] === 0}>
        <LeadTable label={name} asked={{ month: one.month, reached: step }} typed="" />
      </Figure>
    )
  },
})
