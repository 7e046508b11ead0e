/** The baseline, with the six routes only. */
import { serve } from './by-hand.mts';

serve();
