import { type Plan, PlanChanges, PlanInput } from '@balcao/contract/plans.ts'
import { z } from 'zod'
import { useMay } from '../../platform/session.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import {
  BilledFrom,
  FreeOffer,
  PlanAbilities,
  PlanBilling,
  PlanIdentity,
  PlanLimits,
  PlanPrices,
} from './plan-fields.tsx'
import { onePlan, savePlan } from './plans.api.ts'
import { usePlanText } from './plans.text.ts'
import { beginsBilling, offersForFree, planChangesOf, planValues } from './plans.values.ts'

/** Adds a plan, or changes the one of the address. Non-masters may only change its payment (OP-17). */
export function PlanDialog({ id, onClose }: RowDialogProps) {
  const t = usePlanText()
  return (
    <RowDialog id={id} row={onePlan} title={t(id === null ? 'add' : 'edit')} size={720} onClose={onClose}>
      {plan => <PlanForm plan={plan} onClose={onClose} />}
    </RowDialog>
  )
}

/** An offer without a price has to be confirmed. */
const planShape = (plan: Plan | null, freeNeeded: string) =>
  PlanInput.extend({ billedFrom: PlanChanges.shape.billedFrom, isFree: z.boolean() }).refine(
    values => values.isFree || !offersForFree(plan, values),
    { path: ['isFree'], message: freeNeeded },
  )

function PlanForm({ plan, onClose }: { plan: Plan | null; onClose(): void }) {
  const t = usePlanText()
  const isMaster = useMay('master')
  const isOfCompany = plan !== null && plan.companyId !== null
  return (
    <RowForm
      schema={planShape(plan, t('freeNeeded'))}
      initialValues={planValues(plan)}
      isNew={plan === null}
      save={values => savePlan(plan?.id ?? null, planChangesOf(plan, values))}
      done={t('saved')}
      onClose={onClose}
    >
      {form => (
        <>
          <PlanIdentity form={form} disabled={!isMaster} />
          <PlanLimits form={form} disabled={!isMaster} withCampaigns={isMaster} />
          {isMaster && <PlanPrices form={form} />}
          <PlanBilling form={form} isMaster={isMaster} isOfCompany={isOfCompany} />
          {isMaster && beginsBilling(plan, form.values) && <BilledFrom form={form} />}
          {offersForFree(plan, form.values) && <FreeOffer form={form} />}
          <PlanAbilities form={form} disabled={!isMaster} />
        </>
      )}
    </RowForm>
  )
}
