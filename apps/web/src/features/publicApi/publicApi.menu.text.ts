import { texts } from '../../platform/text.ts'

export const usePublicApiMenuText = texts({ api: ['API', 'API', 'API'] })
