import { InvitationInput } from '@balcao/contract/invitations.ts'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useMay } from '../../platform/session.tsx'
import { type Language, languages, useLanguage } from '../../platform/text.ts'
import { useBranding } from '../../shell/branding.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { UserAccess } from '../users/user-access.tsx'
import { useUserOptions } from '../users/users.api.ts'
import { asked, noUser, type UserOptions, warnOf } from '../users/users.form.ts'
import { invite } from './invitations.api.ts'
import { useInvitationText } from './invitations.text.ts'

interface Props {
  onClose(): void
  /** With the link to pass on where no mail is set up. */
  onInvited(link: string | null): void
}

/** The invited user, and their rights after accepting. */
export function InvitationDialog(props: Props) {
  const t = useInvitationText()
  const options = useUserOptions()
  return (
    <Dialog title={t('addTitle')} onClose={props.onClose} size={720}>
      {options && <Form options={options} {...props} />}
    </Dialog>
  )
}

function Form({ options, onClose, onInvited }: Props & { options: UserOptions }) {
  const t = useInvitationText()
  const { mail } = useBranding()
  const isMaster = useMay('master')
  const viewerLanguage = useLanguage()
  return (
    <RowForm
      schema={InvitationInput.extend(asked(isMaster, options))}
      initialValues={{ ...noUser, language: viewerLanguage }}
      isNew
      done={t(mail ? 'invited' : 'made')}
      save={async ({ email, name, profile, userAuthorizationId, whatsappId, queueIds, language }) =>
        onInvited(
          await invite({
            email,
            name,
            profile,
            userAuthorizationId,
            whatsappId,
            queueIds,
            language: language as Language,
          }),
        )
      }
      onInvalid={warnOf}
      onClose={onClose}
    >
      {form => (
        <>
          <FieldSection>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
              <TextInput
                data-autofocus
                label={t('email')}
                description={mail ? undefined : t('noMail')}
                type="email"
                autoComplete="off"
                {...form.getInputProps('email')}
              />
              <TextInput
                label={t('name')}
                maxLength={50}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <NativeSelect label={t('language')} data={languages} {...form.getInputProps('language')} />
            </SimpleGrid>
          </FieldSection>
          <UserAccess form={form} user={null} choices={options} />
        </>
      )}
    </RowForm>
  )
}
