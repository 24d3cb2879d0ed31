import { shownPrices } from '@balcao/contract/plans.rules.ts'
import { BillingType, Recurrence } from '@balcao/contract/plans.ts'
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { usePlanText } from './plans.text.ts'
import { abilities, type PlanValues, prices } from './plans.values.ts'

interface Props {
  form: UseFormReturnType<PlanValues>
}
type Closed = Props & { disabled: boolean }

export function PlanIdentity({ form, disabled }: Closed) {
  const t = usePlanText()
  return (
    <>
      <TextInput
        data-autofocus
        required
        label={t('name')}
        maxLength={50}
        disabled={disabled}
        {...form.getInputProps('name')}
      />
      <TextInput label={t('slogan')} maxLength={150} disabled={disabled} {...form.getInputProps('slogan')} />
      <Textarea
        label={t('description')}
        autosize
        minRows={2}
        maxRows={6}
        disabled={disabled}
        {...form.getInputProps('description')}
      />
    </>
  )
}

export function PlanLimits({ form, disabled, withCampaigns }: Closed & { withCampaigns: boolean }) {
  const t = usePlanText()
  return (
    <FieldGroup legend={t('limits')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={12}>
        {(['numberAttendants', 'numberConnections'] as const).map(field => (
          <NumberInput
            key={field}
            label={t(field)}
            min={0}
            allowDecimal={false}
            disabled={disabled}
            {...form.getInputProps(field)}
          />
        ))}
        {(['storageLimitMb', ...(withCampaigns ? (['campaignSendLimitPerHour'] as const) : [])] as const).map(
          field => (
            <NumberInput
              key={field}
              label={t(field)}
              description={t('noLimit')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={0}
              allowDecimal={false}
              disabled={disabled}
              {...form.getInputProps(field)}
            />
          ),
        )}
      </SimpleGrid>
    </FieldGroup>
  )
}

/** Entered as money, stored as cents; below each the price of the whole period. */
export function PlanPrices({ form }: Props) {
  const t = usePlanText()
  const shown = shownPrices(form.values)
  return (
    <FieldGroup legend={t('prices')}>
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing={12}>
        {prices.map(field => {
          const [total, discount] = [shown[`${field}TotalBrl`], shown[`${field}Discount`]]
          return (
            <NumberInput
              key={field}
              label={t(field)}
              description={t(discount > 0 ? 'totalOff' : 'total', { total, discount })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              prefix="R$ "
              decimalSeparator=","
              thousandSeparator="."
              decimalScale={2}
              fixedDecimalScale
              allowNegative={false}
              hideControls
              error={form.errors[field]}
              value={form.values[field] / 100}
              onChange={typed => form.setFieldValue(field, Math.round(Number(typed) * 100))}
            />
          )
        })}
      </SimpleGrid>
    </FieldGroup>
  )
}

/** Payment and offer: the highlight belongs to an offered plan. */
export function PlanBilling({
  form,
  isMaster,
  isOfCompany,
}: Props & { isMaster: boolean; isOfCompany: boolean }) {
  const t = usePlanText()
  const isSold = isMaster && !isOfCompany
  return (
    <FieldGroup legend={t('billing')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={12}>
        <NativeSelect
          label={t('recurrence')}
          data={Recurrence.options.map(value => ({ value, label: t(value) }))}
          {...form.getInputProps('recurrence')}
        />
        <NativeSelect
          label={t('billingType')}
          data={BillingType.options.map(value => ({ value, label: t(value) }))}
          {...form.getInputProps('billingType')}
        />
        {isSold && (
          <NativeSelect
            label={t('highlighted')}
            data={([0, 1, 2] as const).map(value => ({
              value: String(value),
              label: t(`highlighted${value}`),
            }))}
            {...form.getInputProps('highlighted')}
            onChange={event =>
              form.setFieldValue('highlighted', Number(event.currentTarget.value) as 0 | 1 | 2)
            }
          />
        )}
      </SimpleGrid>
      {isMaster && <Flag form={form} field="automaticInvoice" />}
      {isMaster && <Flag form={form} field="restsAfterTrial" />}
      {isSold && <Flag form={form} field="status" />}
      {isSold && <Flag form={form} field="isStandard" />}
    </FieldGroup>
  )
}

/** Confirms that a plan without a price is offered. */
export function FreeOffer({ form }: Props) {
  const t = usePlanText()
  return (
    <Checkbox
      label={t('freeConfirm')}
      description={t('freeHint')}
      {...form.getInputProps('isFree', { type: 'checkbox' })}
    />
  )
}

/** Of a company that was not billed before. */
export function BilledFrom({ form }: Props) {
  const t = usePlanText()
  return (
    <TextInput
      type="date"
      label={t('billedFrom')}
      description={t('billedFromHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maw={260}
      {...form.getInputProps('billedFrom')}
    />
  )
}

export function PlanAbilities({ form, disabled }: Closed) {
  const t = usePlanText()
  return (
    <FieldGroup legend={t('features')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        {abilities.map(field => (
          <Flag key={field} form={form} field={field} disabled={disabled} />
        ))}
      </SimpleGrid>
    </FieldGroup>
  )
}

type FlagName =
  | (typeof abilities)[number]
  | ('automaticInvoice' | 'restsAfterTrial' | 'status' | 'isStandard')

function Flag({ form, field, disabled }: Props & { field: FlagName; disabled?: boolean }) {
  const t = usePlanText()
  return (
    <Switch
      mt={8}
      label={t(field)}
      description={field === 'restsAfterTrial' && t('restsHint')}
      disabled={disabled ?? false}
      {...form.getInputProps(field, { type: 'checkbox' })}
    />
  )
}
