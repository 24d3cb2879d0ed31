import { texts } from '../../platform/text.ts'

export const useTeamMenuText = texts({ team: ['Equipe', 'Team', 'Equipo'] })
