import type { Message, MessageVersion } from '@balcao/contract/messages.ts'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { clock } from '../../../platform/time.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { briefly } from '../../media/words.ts'
import { messageVersions } from '../messages.api.ts'
import { useMessageText } from '../messages.text.ts'

/** Earlier versions of a changed or deleted message, and who changed it. */
export default function VersionsDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const t = useMessageText()
  const { data, isError } = useQuery(messageVersions(message))
  return (
    <Dialog title={t(message.isDeleted ? 'deletedBy' : 'versions')} onClose={onClose} size={620}>
      {isError && <p role="alert">{t('versionsFailed')}</p>}
      {data?.length === 0 && <Text c="dimmed">{t('versionsNone')}</Text>}
      <Stack component="ol" gap={16} m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map(version => (
          <li key={version.at}>
            <Version version={version} />
          </li>
        ))}
      </Stack>
    </Dialog>
  )
}

function Version({ version: { what, user, at, body, media, mediaType } }: { version: MessageVersion }) {
  const t = useMessageText()
  const name = user?.name ?? t('versionsAuthor')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(what === 'edit' ? 'versionEdited' : 'versionDeleted', { name, at: clock(at).format('L HH:mm') })}
      </Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
        {media?.name && !body ? media.name : briefly({ body, mediaType })}
      </Text>
      {what === 'delete' && !body && !media && (
        <Text size="sm" c="dimmed">
          {t('notKept')}
        </Text>
      )}
    </>
  )
}
