import { MOST_SIGN_UP_CONTACTS } from '@balcao/contract/leads.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { usePlainForm } from '../../platform/plain-form.ts'
import icon from '../../ui/icon-button.module.css'
import { PlainButton } from '../../ui/plain/button.tsx'
import { PlainField } from '../../ui/plain/field.tsx'
import { lookUpWhatsApp } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { noContact, type SubscriptionValues } from './leads.values.ts'
import classes from './notice-contacts.module.css'
import store from './store.module.css'

type Form = ReturnType<typeof usePlainForm<SubscriptionValues>>

/** Contacts that receive the billing notices. */
export function NoticeContacts({ form }: { form: Form }) {
  const t = useLeadText()
  const { contacts } = form.values
  return (
    <fieldset className={store.group}>
      <legend className={store.legend}>{t('contacts')}</legend>
      {contacts.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a contact has no name of its own until it is written
        <Contact key={at} form={form} at={at} />
      ))}
      {contacts.length < MOST_SIGN_UP_CONTACTS && (
        <PlainButton
          quiet
          icon={<IconPlus size={16} aria-hidden />}
          onClick={() => form.insertListItem('contacts', noContact)}
        >
          {t('addContact')}
        </PlainButton>
      )}
    </fieldset>
  )
}

function Contact({ form, at }: { form: Form; at: number }) {
  const t = useLeadText()
  const number = at + 1
  const field = (name: keyof typeof noContact) => form.getInputProps(`contacts.${at}.${name}`)
  const { hasWhatsApp, onBlur } = useWhatsApp()
  return (
    <fieldset className={classes.contact}>
      <legend className={classes.legend}>
        {t('contact', { number })}
        <button
          type="button"
          className={icon.button}
          aria-label={t('removeContact', { number })}
          title={t('removeContact', { number })}
          onClick={() => form.removeListItem('contacts', at)}
        >
          <IconTrash size={18} stroke={1.75} aria-hidden />
        </button>
      </legend>
      <div className={store.three}>
        <PlainField label={t('name')} maxLength={50} autoComplete="off" {...field('contactName')} />
        <PlainField label={t('emailOptional')} type="email" autoComplete="off" {...field('email')} />
        <PlainField
          label={t('whatsAppOptional')}
          note={
            hasWhatsApp === null ? undefined : (
              <span role="status">{t(hasWhatsApp ? 'valid' : 'invalid')}</span>
            )
          }
          type="tel"
          maxLength={30}
          autoComplete="off"
          {...field('whatsapp')}
          onBlur={event => {
            void form.validateField(`contacts.${at}.whatsapp`)
            onBlur(event.currentTarget.value)
          }}
        />
      </div>
    </fieldset>
  )
}

/** Looks up whether a written number has WhatsApp; shows nothing if the lookup is unavailable. */
function useWhatsApp() {
  const [known, setKnown] = useState<{ digits: string; exists: boolean | null }>({ digits: '', exists: null })
  return {
    hasWhatsApp: known.exists,
    onBlur(written: string) {
      const digits = written.replace(/\D/g, '')
      if (digits === known.digits) return
      setKnown({ digits, exists: null })
      if (digits.length < 12 || digits.length > 13) return
      void lookUpWhatsApp(digits).then(found =>
        setKnown(now => (now.digits === digits ? { digits, exists: found?.exists ?? null } : now)),
      )
    },
  }
}
