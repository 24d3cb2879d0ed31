import { type Contact, contacts } from '@balcao/contract/contacts.ts'
import { useState } from 'react'
import { call } from '../../../platform/call.ts'
import { notify } from '../../../platform/notify.tsx'
import { queryClient } from '../../../platform/query.ts'
import { useMay } from '../../../platform/session.tsx'
import { Pill } from '../../../ui/chip.tsx'
import { CategoryPicker } from '../../categories/category-picker.tsx'
import { contactOptions } from './drawer.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'

/** Categories of the contact; each choice of an authorised user is saved at once. */
export function Categories({ contact }: { contact: Contact }) {
  const t = useDrawerText()
  const mayChoose = useMay('contacts:categorize')
  const [wanted, setWanted] = useState<number[] | null>(null)
  const carried = contact.categoryContacts
  async function choose(categoryContacts: number[]) {
    setWanted(categoryContacts)
    const body = { contactId: contact.id, categoryContacts }
    await call(contacts.categorize, { body }).then(
      saved => queryClient.setQueryData(contactOptions(contact.id).queryKey, saved),
      notify.failed,
    )
    setWanted(now => (now === categoryContacts ? null : now))
  }
  if (!mayChoose && carried.length === 0) return null
  return (
    <section className={classes.section}>
      <h3>{t('categories')}</h3>
      {mayChoose ? (
        <CategoryPicker
          aria-label={t('categories')}
          value={wanted ?? carried.map(({ id }) => id)}
          onChange={chosen => void choose(chosen)}
        />
      ) : (
        <div className={classes.pills}>
          {carried.map(({ id, name, color }) => (
            <Pill key={id} label={name} color={color} />
          ))}
        </div>
      )}
    </section>
  )
}
