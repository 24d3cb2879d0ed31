import { noticeEvents } from '@balcao/contract/billingNotices.rules.ts'
import {
  type SubscriptionContact,
  SubscriptionContactChanges,
  SubscriptionContactInput,
} from '@balcao/contract/billingNotices.ts'
import { NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { saveBillingContact } from './billingNotices.api.ts'
import classes from './billingNotices.module.css'
import { useNoticeText } from './billingNotices.text.ts'
import { useNumberCheck } from './number-check.ts'

const blank = SubscriptionContactInput.parse({ contactName: 'novo' })

function valuesOf(contact: SubscriptionContact | null) {
  const {
    id: _id,
    companyId: _company,
    ...values
  } = contact ?? { ...blank, id: 0, companyId: 0, contactName: '' }
  return values
}
export type BillingContactValues = ReturnType<typeof valuesOf>
type Form = UseFormReturnType<BillingContactValues>

interface Props {
  companyId: number
  /** Null for a new one. */
  contact: SubscriptionContact | null
  onClose(): void
}

/** A billing contact: channels, kinds of notices, and how many days before and after the due date. */
export function BillingContactDialog({ companyId, contact, onClose }: Props) {
  const t = useNoticeText()
  const schema = contact ? SubscriptionContactChanges : SubscriptionContactInput
  return (
    <Dialog title={t(contact ? 'editContact' : 'addContact')} onClose={onClose} size={620}>
      <RowForm<BillingContactValues>
        schema={schema}
        initialValues={valuesOf(contact)}
        isNew={contact === null}
        save={values => saveBillingContact(companyId, contact?.id ?? null, schema.parse(values))}
        onClose={onClose}
      >
        {form => (
          <>
            <TextInput
              data-autofocus
              label={t('name')}
              maxLength={50}
              {...form.getInputProps('contactName')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
              <TextInput type="email" label={t('email')} maxLength={200} {...form.getInputProps('email')} />
              <WhatsAppField form={form} />
            </SimpleGrid>
            <Wishes form={form} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
              <Days form={form} name="invoiceDaysBeforeExpiration" label={t('daysBefore')} />
              <Days form={form} name="invoiceDaysAfterExpiration" label={t('daysAfter')} />
            </SimpleGrid>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}

/** The number is looked up on WhatsApp when the field loses focus (NSUB-003 … NSUB-005). */
function WhatsAppField({ form }: { form: Form }) {
  const t = useNoticeText()
  const check = useNumberCheck(form)
  const { whatsapp, whatsappVAlidatedNumber: known } = form.values
  const hint =
    whatsapp && known === 'valido' ? t('hasWhatsApp') : known === 'invalido' ? t('hasNoWhatsApp') : undefined
  return (
    <TextInput
      type="tel"
      label={t('whatsapp')}
      maxLength={30}
      description={hint && <span role="status">{hint}</span>}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...form.getInputProps('whatsapp')}
      onChange={event => {
        form.setFieldValue('whatsapp', event.currentTarget.value)
        form.setFieldValue('whatsappVAlidatedNumber', '')
      }}
      onBlur={event => void check(event.currentTarget.value)}
    />
  )
}

function Wishes({ form }: { form: Form }) {
  const t = useNoticeText()
  const flag = (name: keyof BillingContactValues) => form.getInputProps(name, { type: 'checkbox' })
  return (
    <FieldGroup legend={t('wishes')}>
      <div className={classes.wishes}>
        <span />
        <span aria-hidden>{t('whatsapp')}</span>
        <span aria-hidden>{t('email')}</span>
        {noticeEvents.map(event => (
          <div key={event} className={classes.wish}>
            <span>{t(event)}</span>
            <Switch aria-label={t('byWhatsApp', { event: t(event) })} {...flag(`whatsapp${event}`)} />
            <Switch aria-label={t('byEmail', { event: t(event) })} {...flag(`email${event}`)} />
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}

const counts = Array.from({ length: 11 }, (_, count) => count)

function Days({ form, name, label }: { form: Form; name: keyof BillingContactValues; label: string }) {
  const t = useNoticeText()
  const shown = (count: number) =>
    count === 0 ? t('never') : count === 1 ? t('oneDay') : t('days', { count })
  const { value, ...props } = form.getInputProps(name)
  return (
    <NativeSelect
      label={label}
      data={counts.map(count => ({ value: String(count), label: shown(count) }))}
      value={String(value)}
      {...props}
    />
  )
}
