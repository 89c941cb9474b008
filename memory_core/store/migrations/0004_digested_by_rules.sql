-- What rules have digested is digested again once there is a model.
CREATE INDEX page_digested_by_rules ON page (scope, key) WHERE digested_by = 'heuristic';
