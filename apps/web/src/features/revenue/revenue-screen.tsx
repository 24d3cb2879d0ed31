import { Navigate, useParams } from 'react-router'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { LeadPart } from './lead-part.tsx'
import { MonthPart } from './month-part.tsx'
import { PlanPart } from './plan-part.tsx'
import { ReceiptPart } from './receipt-part.tsx'
import { useRevenueMenuText } from './revenue.menu.text.ts'
import classes from './revenue.module.css'
import { useRevenueText } from './revenue.text.ts'

const PARTS = { months: MonthPart, plans: PlanPart, leads: LeadPart, receipts: ReceiptPart }
type Part = keyof typeof PARTS
const NAMES: Part[] = ['months', 'plans', 'leads', 'receipts']

/** What the operator earns: money by month, subscriptions, leads and receipts. */
export default function RevenueScreen() {
  const t = useRevenueText()
  const title = useRevenueMenuText()('revenue')
  const goTo = useGoTo()
  const { part = 'months' } = useParams()
  const chosen = NAMES.find(name => name === part)
  if (!chosen) return <Navigate to="/revenue" replace />
  const Shown = PARTS[chosen]
  return (
    <Page title={title}>
      <div className={classes.tabs}>
        <Tabs
          label={t('parts')}
          value={chosen}
          tabs={NAMES.map(value => ({ value, label: t(value) }))}
          onChange={value => goTo(value === 'months' ? '/revenue' : `/revenue/${value}`)}
        />
      </div>
      <Shown />
    </Page>
  )
}
