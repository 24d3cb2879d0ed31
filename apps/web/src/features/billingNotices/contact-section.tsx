import { MOST_CONTACTS, type SubscriptionContact } from '@balcao/contract/billingNotices.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { Late } from '../../ui/late.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { contactsOf, removeBillingContact } from './billingNotices.api.ts'
import { useNoticeText } from './billingNotices.text.ts'
import { BillingContactDialog } from './contact.dialog.tsx'

type Opened = { what: 'edit' | 'remove'; contact: SubscriptionContact | null } | null

/** Contacts that receive the billing notices of a company. */
export function ContactSection({ companyId }: { companyId: number }) {
  const t = useNoticeText()
  const { data, error } = useQuery(contactsOf(companyId))
  const [opened, open] = useState<Opened>(null)
  const close = () => open(null)
  const columns: Column<SubscriptionContact>[] = [
    { key: 'name', head: t('name'), cell: one => one.contactName },
    { key: 'email', head: t('email'), cell: one => one.email },
    { key: 'whatsapp', head: t('whatsapp'), cell: one => one.whatsapp },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: contact => (
        <RowActions
          name={contact.contactName}
          edit={() => open({ what: 'edit', contact })}
          onRemove={() => open({ what: 'remove', contact })}
        />
      ),
    },
  ]
  return (
    <FieldSection legend={t('contacts')}>
      <Group justify="space-between" mb={12} gap={12}>
        <Text size="sm">{t('contactsHint')}</Text>
        {data && data.length < MOST_CONTACTS && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => open({ what: 'edit', contact: null })}
          >
            {t('addContact')}
          </Button>
        )}
      </Group>
      {data ? (
        <Table
          label={t('contacts')}
          columns={columns}
          rows={data}
          keyOf={one => one.id}
          mark={one => ({ 'data-notice-contact': String(one.id) })}
          empty={<Empty icon={<IconUsers size={26} />} title={t('noContacts')} />}
        />
      ) : (
        <Late>
          <p role="status">{error && errorText(error)}</p>
        </Late>
      )}
      {opened?.what === 'edit' && (
        <BillingContactDialog companyId={companyId} contact={opened.contact} onClose={close} />
      )}
      {opened?.what === 'remove' && opened.contact && (
        <RemoveDialog
          title={t('removeContact', { name: opened.contact.contactName })}
          remove={() => removeBillingContact(opened.contact!.id)}
          onClose={close}
        >
          {t('removeContactHint')}
        </RemoveDialog>
      )}
    </FieldSection>
  )
}
