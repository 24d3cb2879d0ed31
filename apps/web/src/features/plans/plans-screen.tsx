import { isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { CouponSection } from '../coupons/coupon-section.tsx'
import { PlanDialog } from './plan.dialog.tsx'
import { planList, removePlan } from './plans.api.ts'
import { usePlanMenuText } from './plans.menu.text.ts'
import { usePlanText } from './plans.text.ts'

const PATH = '/plans'

function remarksOn(plan: Plan, t: typeof usePlanText.read): string {
  const remarks = [
    plan.isStandard && t('isStandard'),
    !plan.status && t('notOffered'),
    isPriced(plan) && !plan.automaticInvoice && t('notBilled'),
  ]
  return remarks.filter(Boolean).join(' · ')
}

/** What the platform sells. */
export default function PlansScreen() {
  const t = usePlanText()
  const title = usePlanMenuText()('plans')
  const list = useList(planList)
  const [removing, setRemoving] = useState<Plan | null>(null)
  const columns: Column<Plan>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'attendants', head: t('numberAttendants'), kind: 'number', cell: one => one.numberAttendants },
    { key: 'connections', head: t('numberConnections'), kind: 'number', cell: one => one.numberConnections },
    { key: 'value', head: t('value1Month'), kind: 'number', cell: one => one.value1MonthBrl },
    { key: 'notes', head: '', cell: one => remarksOn(one, t) },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.name}
          edit={`${PATH}/${one.id}`}
          onRemove={one.isStandard ? undefined : () => setRemoving(one)}
        />
      ),
    },
  ]
  return (
    <ListScreen path={PATH} title={title} list={list} add={t('add')} dialog={PlanDialog}>
      <ListTable
        label={title}
        columns={columns}
        list={list}
        icon={IconReceipt}
        none={t('none')}
        hint={t('noneHint')}
      />
      <CouponSection />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removePlan(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
