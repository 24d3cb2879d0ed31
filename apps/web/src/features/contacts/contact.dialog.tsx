import { type Contact, ContactInput } from '@balcao/contract/contacts.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay, useUser } from '../../platform/session.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { oneContact, saveContact } from './contacts.api.ts'
import { useContactText } from './contacts.text.ts'
import { CustomerOf } from './customer-of.tsx'
import { ExtraInfo } from './extra-info.tsx'
import NumberField from './number-field.tsx'
import { homeOf, numberToSend } from './phone.ts'

/** Adds a contact, or changes one. */
export function ContactDialog({ id, onClose }: RowDialogProps) {
  const t = useContactText()
  return (
    <RowDialog id={id} row={oneContact} title={t(id === null ? 'add' : 'edit')} size={620} onClose={onClose}>
      {contact => <ContactForm contact={contact} onClose={onClose} />}
    </RowDialog>
  )
}

/** A group has no number to change, and of some contacts only the LID is known. */
const withoutNumber = ContactInput.omit({ number: true })

function ContactForm({ contact, onClose }: { contact: Contact | null; onClose(): void }) {
  const t = useContactText()
  const mayCategorize = useMay('contacts:categorize')
  const seesAll = useMay('contacts:all')
  const [chosen] = useState(() => contact?.categoryContacts.map(({ id }) => id) ?? [])
  const [categories, setCategories] = useState(chosen)
  const home = homeOf(useUser().company)
  // one that was not changed is not read again
  const numberIn = (number: string) => (number === contact?.number ? { number } : numberToSend(number, home))
  const numberless = contact !== null && (contact.isGroup || contact.number === '')
  return (
    <RowForm
      schema={numberless ? withoutNumber : ContactInput}
      initialValues={{
        name: contact?.name ?? '',
        number: contact?.number ?? '',
        email: contact?.email ?? '',
        ownerId: contact?.ownerId ?? null,
        extraInfo: contact?.extraInfo.map(({ name, value }) => ({ name, value })) ?? [],
      }}
      row={contact}
      isNew={contact === null}
      isUnsaved={categories !== chosen}
      save={({ number, ownerId, ...fields }, _changed, seen) =>
        saveContact(
          contact,
          { ...fields, ...(seesAll && { ownerId }), ...(!numberless && numberIn(number)) },
          { before: chosen, after: categories },
          seen,
        )
      }
      onClose={onClose}
    >
      {form => (
        <>
          <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
          {!numberless && <NumberField {...form.getInputProps('number')} />}
          <TextInput label={t('email')} type="email" maxLength={200} {...form.getInputProps('email')} />
          {!contact?.isGroup && seesAll && (
            <CustomerOf
              label={t('owner')}
              value={form.values.ownerId}
              onChange={ownerId => form.setFieldValue('ownerId', ownerId)}
              error={form.errors.ownerId}
            />
          )}
          <CategoryPicker
            label={t('labels')}
            value={categories}
            onChange={setCategories}
            disabled={!mayCategorize}
            {...(!mayCategorize && { description: t('mayNot') })}
          />
          <ExtraInfo form={form} />
        </>
      )}
    </RowForm>
  )
}
