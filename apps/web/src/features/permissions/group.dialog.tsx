import { defaultFlags, type Flags } from '@balcao/contract/permissions.rules.ts'
import { UserAuthorizationInput } from '@balcao/contract/permissions.ts'
import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import classes from './group.module.css'
import { oneGroup, saveGroup } from './permissions.api.ts'
import { usePermissionText } from './permissions.text.ts'

type Switchable = Exclude<keyof Flags, 'viewMessagesByTicket'>

/** Every flag of a group but the choice of messages, by what it is about. */
const sections = {
  tickets: ['allowViewPendingTickets', 'allowNoQueue', 'allowMultipleTickets', 'allowTicketExport'],
  attendant: ['disableGreeting', 'disableSignature'],
  contacts: [
    'onlyOwnContacts',
    'allowCategorizeContacts',
    'allowCreateCategoryContacts',
    'allowImportContacts',
  ],
  company: ['allowInternalChat', 'enableDash', 'enableAdministration'],
  everybody: [
    'allowDeleteOptOuts',
    'allowDeleteShared',
    'allowDefaultBots',
    'allowWebhooks',
    'allowSharedViews',
    'allowTeam',
  ],
} as const satisfies Record<string, Switchable[]>
const parts = Object.entries(sections) as [keyof typeof sections, Switchable[]][]

/** Adds a permission group, or changes the one of the address; its users' rights change at once. */
export function GroupDialog({ id, onClose }: RowDialogProps) {
  const t = usePermissionText()
  return (
    <RowDialog id={id} row={oneGroup} title={t(id === null ? 'add' : 'edit')} size={620} onClose={onClose}>
      {group => (
        <RowForm
          schema={UserAuthorizationInput}
          initialValues={formOf(group?.name ?? '', group ?? defaultFlags)}
          row={group}
          isNew={group === null}
          save={(values, _changed, seen) => saveGroup(id, values, seen)}
          onClose={onClose}
        >
          {form => (
            <>
              <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
              <NativeSelect
                label={t('sees')}
                data={([0, 1, 2] as const).map(mode => ({ value: String(mode), label: t(`sees${mode}`) }))}
                value={String(form.values.viewMessagesByTicket)}
                onChange={event =>
                  form.setFieldValue(
                    'viewMessagesByTicket',
                    Number(event.currentTarget.value) as Flags['viewMessagesByTicket'],
                  )
                }
              />
              {parts.map(([section, flags]) => (
                <fieldset key={section} className={classes.section}>
                  <legend>{t(section)}</legend>
                  {flags.map(flag => (
                    <Switch key={flag} label={t(flag)} {...form.getInputProps(flag, { type: 'checkbox' })} />
                  ))}
                </fieldset>
              ))}
            </>
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}

/** Yes and no as a switch has them: some flags of the documents are 1 and 0. */
function formOf(name: string, flags: Flags) {
  const on = Object.fromEntries(parts.flatMap(([, all]) => all.map(flag => [flag, Boolean(flags[flag])])))
  return {
    name,
    viewMessagesByTicket: flags.viewMessagesByTicket,
    ...(on as Record<Switchable, boolean>),
  }
}
