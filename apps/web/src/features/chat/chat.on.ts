import { may } from '@balcao/contract/permissions.rules.ts'
import { useViewer } from '../../platform/session.tsx'
import { visiting } from '../../platform/visit.ts'
import { useBranding } from '../../shell/branding.ts'

/** Whether there is a chat here: INTERNAL_CHAT of the installation, and the right of the user. */
export function useChatIsOn(): boolean {
  const viewer = useViewer()
  const { internalChatFlag } = useBranding()
  return internalChatFlag && may(viewer, 'chat') && !visiting.now()
}
